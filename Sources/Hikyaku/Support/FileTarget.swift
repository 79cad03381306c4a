import HikyakuBase

/// What is at the path that a new file is to get.
enum FileTarget {
    /// Why a path can't be used at all, as the end of a sentence: the system would cut it at a NUL, and use another file
    /// than the one that is named.
    static func nulProblem(in path: String) -> String? {
        path.utf8.contains(0) ? "has a NUL in its path" : nil
    }
}
