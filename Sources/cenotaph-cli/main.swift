import CFiles
import Dispatch

// Bodies come and go on several threads; one arena gives their memory back.
cenotaph_use_one_arena()

// Work runs in a task off the main actor; the main thread only waits for it.
Task.detached {
    await System.exit(Command.run(Array(CommandLine.arguments.dropFirst())))
}
dispatchMain()
