// swift-format-ignore-file
// A replacement for the module of this name: only its names.

public struct Query<Element> { public init() {} }
public enum DataStore {}
public enum FetchDescriptor {}
public enum History {}
public enum ModelConfiguration {}
public enum ModelContainer {}
public enum ModelContext {}
public enum PersistentModel {}
public enum Schema {}
