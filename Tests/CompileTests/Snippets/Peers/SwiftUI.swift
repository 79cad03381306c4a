// swift-format-ignore-file
// A replacement for the module of this name: only its names.

public protocol View {
    associatedtype Body
    @MainActor var body: Body { get }
}
public struct Path { public init() {} }
public struct Text { public init(_ content: String) {} }
public enum Alert {}
public enum Angle {}
public enum Animation {}
public enum App {}
public enum Axis {}
public enum Binding {}
public enum Button {}
public enum Canvas {}
public enum Circle {}
public enum Color {}
public enum Commands {}
public enum Edge {}
public enum Environment {}
public enum EnvironmentKey {}
public enum EnvironmentValues {}
public enum Event {}
public enum Font {}
public enum Form {}
public enum Gesture {}
public enum Grid {}
public enum Group {}
public enum Image {}
public enum Label {}
public enum Layout {}
public enum Link {}
public enum List {}
public enum Menu {}
public enum Namespace {}
public enum Picker {}
public enum PreferenceKey {}
public enum Scene {}
public enum Section {}
public enum Shape {}
public enum Slider {}
public enum State {}
public enum Stepper {}
public enum Tab {}
public enum Table {}
public enum Toggle {}
public enum Transaction {}
public enum Transition {}
public enum Visibility {}
public enum Window {}
