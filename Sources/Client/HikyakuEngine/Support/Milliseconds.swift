extension Duration {
    /// Milliseconds with one decimal digit, for people.
    package var milliseconds: String {
        // `components` traps if an Int64 can't represent the seconds.
        "\((self / .milliseconds(1) * 10).rounded(.down) / 10)"
    }
}
