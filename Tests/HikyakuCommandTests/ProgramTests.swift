import HikyakuGenerate
import Testing

@testable import HikyakuCommand

struct ProgramTests {
    @Test(arguments: [
        ([], "a command is missing"),
        (["catalog"], "there is no command catalog"),
        (["--colour"], "there is no option --colour"),
    ])
    func rejectsUnknownCommandsAndOptions(words: [String], message: String) async {
        let failure = await #expect(throws: CommandFailure.self) { try await HikyakuCommand.run(words) }
        #expect(failure?.status == .usage)
        #expect(failure?.message == message + "\n'hikyaku --help' lists the commands and options.")
    }

    @Test(arguments: [Usage.program, Usage.catalogue, Usage.download])
    func helpFitsATerminal(text: String) {
        for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    }
}
