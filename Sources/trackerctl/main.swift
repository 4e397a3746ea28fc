import Glibc

// A reader that goes away (`| head`) is an error code at the next write, not the end by a signal.
signal(SIGPIPE, SIG_IGN)
exit(Program.run(Array(CommandLine.arguments.dropFirst())))
