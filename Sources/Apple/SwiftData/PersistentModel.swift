public import Foundation
public import Observation

/// A class whose objects a store keeps.
///
/// Apple's macro `@Model` writes the conformance; here `sim-runner adopt` does, and turns the macro into `@Observable`.
public protocol PersistentModel: AnyObject, Observable, Hashable, Identifiable {
  /// The properties of which no two stored objects have the same value.
  static var uniqueKeys: [PartialKeyPath<Self>] { get }
}

/// The identity of a stored object, of this process.
public struct PersistentIdentifier: Hashable, Sendable {
  let object: ObjectIdentifier
  public let entityName: String
}

extension PersistentModel {
  public static var uniqueKeys: [PartialKeyPath<Self>] { [] }
  public var persistentModelID: PersistentIdentifier {
    PersistentIdentifier(object: ObjectIdentifier(self), entityName: "\(Self.self)")
  }
  public var id: PersistentIdentifier { persistentModelID }
  public static func == (left: Self, right: Self) -> Bool { left === right }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The classes of a store.
public struct Schema: Sendable {
  public struct Version: Hashable, Sendable {
    public let major: Int
    public let minor: Int
    public let patch: Int
    public init(_ major: Int, _ minor: Int, _ patch: Int) {
      (self.major, self.minor, self.patch) = (major, minor, patch)
    }
  }

  /// Their names.
  let entities: [String]

  public init(_ types: [any PersistentModel.Type], version: Version = Version(1, 0, 0)) {
    entities = types.map { "\($0)" }
  }

  public init(_ types: any PersistentModel.Type..., version: Version = Version(1, 0, 0)) {
    self.init(types, version: version)
  }
}

/// Where a store is.
public struct ModelConfiguration: Sendable {
  public struct GroupContainer: Sendable {
    public static let automatic = GroupContainer()
    public static let none = GroupContainer()
    public static func identifier(_ name: String) -> GroupContainer { GroupContainer() }
  }
  public struct CloudKitDatabase: Sendable {
    public static let automatic = CloudKitDatabase()
    public static let none = CloudKitDatabase()
    public static func `private`(_ name: String) -> CloudKitDatabase { CloudKitDatabase() }
  }

  public let name: String
  public let isStoredInMemoryOnly: Bool
  public let allowsSave: Bool
  public var url: URL { URL(fileURLWithPath: NSHomeDirectory()).appendingPathComponent("Library/\(name).store") }

  public init(
    _ name: String? = nil, schema: Schema? = nil, isStoredInMemoryOnly: Bool = false, allowsSave: Bool = true,
    groupContainer: GroupContainer = .automatic, cloudKitDatabase: CloudKitDatabase = .automatic
  ) {
    self.name = name ?? "default"
    (self.isStoredInMemoryOnly, self.allowsSave) = (isStoredInMemoryOnly, allowsSave)
  }

  public init(
    _ name: String? = nil, schema: Schema? = nil, url: URL, allowsSave: Bool = true,
    cloudKitDatabase: CloudKitDatabase = .automatic
  ) {
    self.init(name, schema: schema, isStoredInMemoryOnly: false, allowsSave: allowsSave)
  }
}

public struct SwiftDataError: Error, Equatable {
  private let name: String
  /// The store may not be written.
  public static let unsupportedPredicate = SwiftDataError(name: "unsupportedPredicate")
  public static let saveNotAllowed = SwiftDataError(name: "saveNotAllowed")
}

/// Which objects are wanted, and in which order.
public struct FetchDescriptor<T: PersistentModel> {
  public var predicate: Predicate<T>?
  public var sortBy: [SortDescriptor<T>]
  public var fetchLimit: Int?
  public var fetchOffset: Int?
  public var includePendingChanges = true
  public var propertiesToFetch: [PartialKeyPath<T>] = []
  public var relationshipKeyPathsForPrefetching: [PartialKeyPath<T>] = []

  public init(predicate: Predicate<T>? = nil, sortBy: [SortDescriptor<T>] = []) {
    (self.predicate, self.sortBy) = (predicate, sortBy)
  }
}
