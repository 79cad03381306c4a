import HikyakuBase
import Testing

@Suite struct SpellingTests {
    @Test(arguments: [
        ("access", "access", 0), ("ACCESS", "access", 0), ("acess", "access", 1), ("accesss", "access", 1),
        ("acxess", "access", 1), ("accses", "access", 1), ("htlm", "html", 1), ("", "ab", 2), ("ab", "", 2),
        ("heder", "header", 1), ("ehader", "header", 1), ("", "abc", 3), ("abc", "", 3), ("kitten", "sitting", 3),
        // Restricted: what was swapped isn't changed again.
        ("ca", "abc", 3), ("é", "è", 1),
    ])
    func mistakesAreCounted(written: String, known: String, count: Int) {
        #expect(Spelling.mistakes(in: written, for: known, max: 3) == count)
        #expect(Spelling.mistakes(in: known, for: written, max: 3) == count)
        if count > 0 { #expect(Spelling.mistakes(in: written, for: known, max: count - 1) == nil) }
    }

    @Test func aLongWordIsNotCompared() {
        let long = String(repeating: "a", count: 10_000_000)
        let start = ContinuousClock.now
        #expect(Spelling.mistakes(in: long, for: "access", max: 3) == nil)
        #expect(start.duration(to: .now) < .seconds(1))
    }

    @Test(arguments: [
        ("catalouge", "catalogue"), ("catalog", "catalogue"), ("cat", "catalogue"), ("donwload", "download"),
        ("genrate", "generate"), ("GENERATE", "generate"), ("downlaods", "download"), ("run", nil), ("", nil),
        ("c", nil), ("generation-of-all", nil), ("\u{301}", nil), ("help", nil),
    ])
    func aCommandIsSuggested(written: String, meant: String?) {
        #expect(Spelling.suggestion(for: written, among: ["catalogue", "download", "generate"]) == meant)
    }

    @Test func theNearestWordIsSuggestedAndOfEquallyNearOnesTheFirst() {
        #expect(Spelling.suggestion(for: "modle", among: ["mode", "model", "module"]) == "mode")
        #expect(Spelling.suggestion(for: "modles", among: ["modules", "models", "moles"]) == "modules")
        #expect(Spelling.suggestion(for: "modul", among: ["mode", "module"]) == "module")
        #expect(Spelling.suggestion(for: "models-", among: ["models-module", "models-output"]) == nil)
    }
}
