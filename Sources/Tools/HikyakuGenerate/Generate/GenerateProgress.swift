import HikyakuBase
import HikyakuOpenAPI

/// Shows on one line of a terminal what a run does.
final class GenerateProgress: Sendable {
    private struct State {
        var line = StatusLine()
        var pacer = ProgressPacer(isTerminal: true)
        var fileCount = 0
    }

    private let state = Lock(State())
    private let isShown: Bool
    private let write: @Sendable (TerminalText) -> Void

    init(isShown: Bool, write: @escaping @Sendable (TerminalText) -> Void = { Console.report($0) }) {
        (self.isShown, self.write) = (isShown, write)
    }

    /// Shows the file that is read next; of many files, some are shown.
    func showReading(_ path: String) {
        draw { state in
            state.fileCount += 1
            guard state.fileCount == 1 || state.pacer.isDue(at: .now) else { return nil }
            let count = state.fileCount > 1 ? "file \(Count.text(of: state.fileCount)), " : ""
            return "reading \(count)\(path) …"
        }
    }

    /// Shows the stage that begins.
    func show(_ stage: Generator.Stage) {
        let text =
            switch stage {
            case .planning(let operations, let schemas):
                "planning \(Count.text(of: operations, "operation")) and \(Count.text(of: schemas, "schema")) …"
            case .rendering(let requests, let types):
                "generating \(Count.text(of: requests, "request")) and \(Count.text(of: types, "type")) …"
            }
        draw { _ in text }
    }

    /// Shows from time to time how many files are written.
    func showWriting(_ done: Int, of total: Int) {
        draw { state in
            guard done == 0 || state.pacer.isDue(at: .now) else { return nil }
            return "writing \(Count.text(of: done)) of \(Count.text(of: total, "file")) …"
        }
    }

    /// Removes the line.
    func end() {
        let text = state.withLock { $0.line.erasing() }
        if !text.isEmpty { write(text) }
    }

    private func draw(_ text: (inout State) -> String?) {
        guard isShown else { return }
        let width = StatusLine.columns
        let drawing = state.withLock { state in text(&state).map { state.line.drawing($0, width: width) } }
        if let drawing { write(drawing) }
    }
}
