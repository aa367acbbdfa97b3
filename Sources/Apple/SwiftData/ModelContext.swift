import DeviceClient
public import Foundation

/// A store, which lives as long as the process.
public final class ModelContainer: @unchecked Sendable {
  private let lock = NSLock()
  private var stored: [any PersistentModel] = []
  public let schema: Schema
  public let configurations: [ModelConfiguration]

  /// The context of the main queue, which saves by itself.
  @MainActor public private(set) lazy var mainContext = {
    let context = ModelContext(self)
    context.autosaveEnabled = true
    return context
  }()

  public init(for schema: Schema, configurations: [ModelConfiguration]) throws {
    (self.schema, self.configurations) = (schema, configurations)
  }

  public convenience init(for schema: Schema, configurations: ModelConfiguration...) throws {
    try self.init(for: schema, configurations: configurations)
  }

  public convenience init(for types: any PersistentModel.Type..., configurations: ModelConfiguration...) throws {
    try self.init(for: Schema(types), configurations: configurations)
  }

  public func deleteAllData() { lock.withLock { stored = [] } }

  var models: [any PersistentModel] { lock.withLock { stored } }

  fileprivate func change(insert: [any PersistentModel], delete: Set<ObjectIdentifier>) throws {
    guard configurations.allSatisfy(\.allowsSave) else { throw SwiftDataError.saveNotAllowed }
    lock.withLock {
      for model in insert {
        let keys = Self.keys(of: model)
        // A second object with a value that is unique takes the place of the first.
        stored.removeAll { $0 === model || Self.isSame(Self.keys(of: $0), keys) && type(of: $0) == type(of: model) }
        stored.append(model)
      }
      stored.removeAll { delete.contains(ObjectIdentifier($0)) }
    }
    if !configurations.contains(where: \.isStoredInMemoryOnly) {
      DeviceClient.reportMissing("swiftData", "ModelContext.save, after which a restarted app finds an empty store,")
    }
  }

  private static func keys<Model: PersistentModel>(of model: Model) -> [AnyHashable] {
    Model.uniqueKeys.compactMap { model[keyPath: $0] as? AnyHashable }
  }

  private static func isSame(_ left: [AnyHashable], _ right: [AnyHashable]) -> Bool {
    zip(left, right).contains { $0 == $1 }
  }
}

/// A view of a store with changes that are not saved yet.
public final class ModelContext: @unchecked Sendable {
  public let container: ModelContainer
  public var autosaveEnabled = false
  private let lock = NSLock()
  private var inserted: [any PersistentModel] = []
  private var deleted: Set<ObjectIdentifier> = []
  private var isSaveDue = false

  public init(_ container: ModelContainer) { self.container = container }

  public var hasChanges: Bool { lock.withLock { !inserted.isEmpty || !deleted.isEmpty } }

  public func insert<T: PersistentModel>(_ model: T) {
    lock.withLock {
      deleted.remove(ObjectIdentifier(model))
      if !inserted.contains(where: { $0 === model }) { inserted.append(model) }
    }
    saveSoon()
  }

  public func delete<T: PersistentModel>(_ model: T) {
    lock.withLock {
      inserted.removeAll { $0 === model }
      deleted.insert(ObjectIdentifier(model))
    }
    saveSoon()
  }

  public func delete<T: PersistentModel>(
    model: T.Type, where predicate: Predicate<T>? = nil, includeSubclasses: Bool = true
  ) throws {
    for one in try fetch(FetchDescriptor<T>(predicate: predicate)) { delete(one) }
  }

  public func save() throws {
    let (insert, delete) = lock.withLock { (inserted, deleted) }
    guard !insert.isEmpty || !delete.isEmpty else { return }
    try container.change(insert: insert, delete: delete)
    lock.withLock {
      inserted.removeAll { one in insert.contains { $0 === one } }
      deleted.subtract(delete)
    }
  }

  public func rollback() { lock.withLock { (inserted, deleted) = ([], []) } }
  public func processPendingChanges() {}

  public func transaction(block: () throws -> Void) throws {
    try block()
    try save()
  }

  public func fetch<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [T] {
    let (pending, gone) = lock.withLock { (inserted, deleted) }
    var found = container.models.filter { !gone.contains(ObjectIdentifier($0)) }
    if descriptor.includePendingChanges {
      found += pending.filter { one in !found.contains { $0 === one } }
    }
    var models = found.compactMap { $0 as? T }
    if let predicate = descriptor.predicate { models = try models.filter { try predicate.evaluate($0) } }
    if !descriptor.sortBy.isEmpty { models.sort(using: descriptor.sortBy) }
    models.removeFirst(min(max(descriptor.fetchOffset ?? 0, 0), models.count))
    return Array(models.prefix(max(descriptor.fetchLimit ?? .max, 0)))
  }

  public func fetchCount<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> Int {
    try fetch(descriptor).count
  }

  public func fetchIdentifiers<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [PersistentIdentifier] {
    try fetch(descriptor).map(\.persistentModelID)
  }

  fileprivate func model<T: PersistentModel>(_ id: PersistentIdentifier) -> T? {
    try? fetch(FetchDescriptor<T>()).first { $0.persistentModelID == id }
  }

  /// Saves after the current turn of the main queue.
  private func saveSoon() {
    let isFirst = lock.withLock {
      guard autosaveEnabled, !isSaveDue else { return false }
      isSaveDue = true
      return true
    }
    guard isFirst else { return }
    DispatchQueue.main.async { [self] in
      lock.withLock { isSaveDue = false }
      try? save()
    }
  }
}

/// An actor that works with a context of its own.
///
/// Apple's macro `@ModelActor` writes the properties and the initializer; here `sim-runner adopt` does.
public protocol ModelActor: Actor {
  nonisolated var modelContainer: ModelContainer { get }
  nonisolated var modelContext: ModelContext { get }
}

extension ModelActor {
  public subscript<T: PersistentModel>(id: PersistentIdentifier, as type: T.Type) -> T? {
    modelContext.model(id)
  }
}
