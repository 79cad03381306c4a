import HikyakuGenerate

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What the plugins run: `generate` alone, which needs none of the libraries that calls need.
@main
enum GenerateTool {
    static func main() {
        let folders = "the folder of\nthe package and those of its targets; --target NAME chooses one"
        let command = GenerateCommand(name: "swift package generate-api", searchedFolders: folders)
        do throws(CommandFailure) {
            try command.run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            Console.report(error, after: "error")
            exit(error.status.rawValue)
        }
    }
}
