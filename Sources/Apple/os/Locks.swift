import Glibc

/// A lock that is a value at a fixed address.
public struct os_unfair_lock_s {
  // All zero bits: libc's unlocked state.
  fileprivate var mutex = pthread_mutex_t()
  public init() {}
}

public typealias os_unfair_lock = os_unfair_lock_s
public typealias os_unfair_lock_t = UnsafeMutablePointer<os_unfair_lock_s>

public func os_unfair_lock_lock(_ lock: os_unfair_lock_t) { pthread_mutex_lock(&lock.pointee.mutex) }
public func os_unfair_lock_unlock(_ lock: os_unfair_lock_t) { pthread_mutex_unlock(&lock.pointee.mutex) }
public func os_unfair_lock_trylock(_ lock: os_unfair_lock_t) -> Bool {
  pthread_mutex_trylock(&lock.pointee.mutex) == 0
}

/// A lock with the state that it protects.
///
/// As on a device, a thread that takes it twice ends the process.
public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
  private let storage: LockStorage<State>

  public init(uncheckedState initialState: State) { storage = LockStorage(initialState) }

  public func withLockUnchecked<R>(_ body: (inout State) throws -> R) rethrows -> R {
    storage.lock()
    defer { storage.unlock() }
    return try body(&storage.state)
  }

  public func withLock<R: Sendable>(_ body: @Sendable (inout State) throws -> R) rethrows -> R {
    try withLockUnchecked(body)
  }

  public func withLockIfAvailableUnchecked<R>(_ body: (inout State) throws -> R) rethrows -> R? {
    guard storage.tryLock() else { return nil }
    defer { storage.unlock() }
    return try body(&storage.state)
  }

  public func withLockIfAvailable<R: Sendable>(_ body: @Sendable (inout State) throws -> R) rethrows -> R? {
    try withLockIfAvailableUnchecked(body)
  }

  /// Who holds a lock.
  public enum Ownership: Hashable, Sendable {
    case owner, notOwner
  }

  /// Ends the process unless this thread holds the lock, or does not hold it.
  public func precondition(_ condition: Ownership) {
    Swift.precondition(storage.isHeldHere == (condition == .owner), "the lock is held by another, or not at all")
  }
}

extension OSAllocatedUnfairLock where State: Sendable {
  public init(initialState: State) { self.init(uncheckedState: initialState) }
}

extension OSAllocatedUnfairLock where State == () {
  public init() { self.init(uncheckedState: ()) }

  public func lock() { storage.lock() }
  public func unlock() { storage.unlock() }
  public func lockIfAvailable() -> Bool { storage.tryLock() }

  public func withLockUnchecked<R>(_ body: () throws -> R) rethrows -> R {
    storage.lock()
    defer { storage.unlock() }
    return try body()
  }

  public func withLock<R: Sendable>(_ body: @Sendable () throws -> R) rethrows -> R { try withLockUnchecked(body) }

  public func withLockIfAvailable<R: Sendable>(_ body: @Sendable () throws -> R) rethrows -> R? {
    guard storage.tryLock() else { return nil }
    defer { storage.unlock() }
    return try body()
  }
}

private final class LockStorage<State>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  /// Read by the owner alone, and by others only to find that they are not it.
  private var owner: pthread_t?
  var state: State

  init(_ state: State) {
    self.state = state
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    // A thread that locks it twice gets an error, and does not wait for itself.
    pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ERRORCHECK))
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, &attributes)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  var isHeldHere: Bool { owner == pthread_self() }

  func lock() {
    let status = pthread_mutex_lock(mutex)
    Swift.precondition(status == 0, "a thread took an OSAllocatedUnfairLock that it holds")
    owner = pthread_self()
  }

  func tryLock() -> Bool {
    guard pthread_mutex_trylock(mutex) == 0 else { return false }
    owner = pthread_self()
    return true
  }

  func unlock() {
    owner = nil
    let status = pthread_mutex_unlock(mutex)
    Swift.precondition(status == 0, "a thread released an OSAllocatedUnfairLock that it does not hold")
  }
}
