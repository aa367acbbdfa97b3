import Foundation

/// How many kilometres the phone has taken: two callbacks count each of them, one for the log and one for the screen.
public final class SplitCounter: @unchecked Sendable {
  private let log = DispatchQueue(label: "log")
  private let screen = DispatchQueue(label: "screen")
  private let lock = NSLock()
  private let isRacy: Bool
  private var count = 0

  /// - Parameter isRacy: Plants a bug: the counter is read and written under two locks, so that another callback may come
  ///   between. It shows only if the two threads take turns just so.
  public init(isRacy: Bool) { self.isRacy = isRacy }

  /// Counts a kilometre.
  public func add() {
    log.async { self.increase() }
    screen.async { self.increase() }
  }

  private func increase() {
    lock.lock()
    if isRacy {
      let before = count
      lock.unlock()
      lock.lock()
      count = before + 1
    } else {
      count += 1
    }
    lock.unlock()
  }

  /// Ends the app if a kilometre was lost.
  public func check(_ kilometres: Int) {
    log.async {
      self.screen.async {
        self.lock.lock()
        let count = self.count
        self.lock.unlock()
        // A kilometre may have come since.
        guard count < 2 * kilometres else { return }
        print("phone: counted \(count), expected \(2 * kilometres)")
        exit(1)
      }
    }
  }
}
