import HikyakuBase
import HikyakuOpenAPI
import Testing

@testable import HikyakuGenerate

@Suite struct GenerateProgressTests {
    /// What a progress writes, one text for each time.
    private func written(isShown: Bool = true, _ body: (GenerateProgress) -> Void) -> [String] {
        let texts = Lock<[String]>([])
        let progress = GenerateProgress(isShown: isShown) { text in texts.withLock { $0.append(text.text) } }
        body(progress)
        progress.end()
        return texts.withLock { $0 }
    }

    @Test func oneLineIsRewrittenAndRemoved() {
        let texts = written { progress in
            progress.showReading("api.yaml")
            progress.show(.planning(operations: 1_200, schemas: 1))
            progress.show(.rendering(requests: 2, types: 0))
            progress.showWriting(0, of: 12)
        }
        #expect(
            texts == [
                "\rreading api.yaml …\u{1B}[K",
                "\rplanning 1,200 operations and 1 schema …\u{1B}[K",
                "\rgenerating 2 requests and 0 types …\u{1B}[K",
                "\rwriting 0 of 12 files …\u{1B}[K",
                "\r\u{1B}[K",
            ]
        )
    }

    @Test func manyFilesAreShownFromTimeToTime() {
        let texts = written { progress in
            for index in 0..<1_000 { progress.showReading("\(index).yaml") }
            for index in 0..<1_000 { progress.showWriting(index, of: 1_000) }
        }
        #expect(texts.count < 200)
        #expect(texts.contains("\rreading 0.yaml …\u{1B}[K"))
    }

    @Test func nothingIsWrittenElsewhereThanOnATerminal() {
        #expect(written(isShown: false) { $0.showReading("api.yaml") } == [])
    }

    @Test func aLineIsCutToTheTerminal() {
        var line = StatusLine()
        #expect(line.erasing() == "")
        #expect(line.drawing("reading api.yaml", width: 8) == "\rreading\u{1B}[K")
        #expect(line.keeping() == "\n")
        #expect(line.keeping() == "")
    }
}
