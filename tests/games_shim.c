/* Owns the dice of the Debian Minesweeper programs under test: preloaded, it deals the layout a test asks for.

   AUTOSOLVE_DICE holds numbers, comma separated; each call of the program's own random source returns the next one,
   and after the last the first again. Built by tests/games.py, which knows what each program makes of a number. */

#include <stdint.h>
#include <stdlib.h>

static int64_t next(void) {
    static const char *start, *at;
    if (!start) start = at = getenv("AUTOSOLVE_DICE");
    if (!start || !*start) return 0;
    if (!*at) at = start;
    char *end;
    int64_t value = strtoll(at, &end, 10);
    at = *end == ',' ? end + 1 : end;
    return value;
}

/* gnome-mines: x, y, x, y ... */
int32_t g_random_int_range(int32_t begin, int32_t end) {
    int64_t value = next();
    return value < begin || value >= end ? begin : (int32_t)value;
}

/* xdemineur: places in the list of squares that are left */
int rand(void) { return (int)next(); }

/* kmines: QRandomGenerator::_fillRange(void *, void *), 32 bits a number */
void _ZN16QRandomGenerator10_fillRangeEPvS0_(void *self, void *begin, void *end) {
    (void)self;
    for (uint32_t *at = begin; at < (uint32_t *)end; at++) *at = (uint32_t)next();
}
