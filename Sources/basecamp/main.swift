import Basecamp
import Glibc

// A reader of our output that goes away is an error code, not the end.
signal(SIGPIPE, SIG_IGN)
exit(Program.run(Array(CommandLine.arguments.dropFirst())))
