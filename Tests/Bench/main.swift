import SystemCalls

endProcess(Program.run(Array(CommandLine.arguments.dropFirst())))
