"""Owns the command line: arguments, wiring of devices, printing and exit codes. The only printer, the only exiter."""
