import MenuCore
import MenuDomain
import MenuScreens

/// Runs the app's core without a user interface, and without a network.
@main
struct MenuTour {
    static func main() async {
        await Tour(repository: RemoteMenu(.mock)) { print($0) }.run()
    }
}
