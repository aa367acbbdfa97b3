import Foundation

/// Limits concurrent runs to the number of processors, since a test with many arguments starts all of them at once.
actor RunGate {
  static let shared = RunGate(ProcessInfo.processInfo.activeProcessorCount)

  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ count: Int) { free = max(1, count) }

  /// Starts a run once there is room for it.
  nonisolated func withTurn<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
    await acquire()
    do {
      let value = try await body()
      await giveBack()
      return value
    } catch {
      await giveBack()
      throw error
    }
  }

  private func acquire() async {
    if free > 0 {
      free -= 1
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  private func giveBack() {
    if waiting.isEmpty {
      free += 1
    } else {
      waiting.removeFirst().resume()
    }
  }
}
