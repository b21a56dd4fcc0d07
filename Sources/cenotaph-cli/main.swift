import Dispatch

// Work runs in a task off the main actor; the main thread only waits for it.
Task.detached {
    await System.exit(Command.run(Array(CommandLine.arguments.dropFirst())))
}
dispatchMain()
