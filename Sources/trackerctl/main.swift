import Glibc

// A closed pipe (`| head`) is then an error of the next write and does not kill the process.
signal(SIGPIPE, SIG_IGN)
exit(Program.run(Array(CommandLine.arguments.dropFirst())))
