/// Turns `camelCase` into `snake_case`, as users know it from Foundation: `myURLProperty` is `my_url_property`, and
/// `HTTPServer` is `h_ttp_server`, since a word's first letter never begins a second word.
enum SnakeCase {
    static func text(of key: String) -> String {
        let characters = Array(key)
        guard characters.count > 1 else { return key.lowercased() }
        var words: [ArraySlice<Character>] = []
        var wordStart = 0
        var searchStart = 1
        while let capital = characters[searchStart...].firstIndex(where: \.isUppercase) {
            words.append(characters[wordStart..<capital])
            guard let small = characters[capital...].firstIndex(where: \.isLowercase) else {
                wordStart = capital
                break
            }
            // Of several capitals in a row, the last one begins the next word.
            if small > capital + 1 {
                words.append(characters[capital..<(small - 1)])
                wordStart = small - 1
            } else {
                wordStart = capital
            }
            searchStart = small + 1
        }
        words.append(characters[wordStart...])
        return words.map { String($0).lowercased() }.joined(separator: "_")
    }
}
