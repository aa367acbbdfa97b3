import Foundation
import Synchronization

/// Runs cases on several threads and passes on their results in the order of the cases.
package final class CaseQueue: Sendable {
  private struct State {
    /// The index of the next case to start.
    var next = 0
    var results: [CaseResult?]
  }

  private let cases: [ScenarioCase]
  private let state: Mutex<State>
  /// Signalled for every finished case.
  private let done = DispatchSemaphore(value: 0)

  package init(_ cases: [ScenarioCase]) {
    self.cases = cases
    state = Mutex(State(results: cases.map { _ in nil }))
  }

  /// Runs all cases.
  ///
  /// - Parameters:
  ///   - jobs: How many at a time, at least 1.
  ///   - run: Runs one; called on several threads at once.
  ///   - take: Receives each result in the order of the cases.
  package func run(jobs: Int, _ run: @escaping @Sendable (ScenarioCase) -> CaseResult, take: (CaseResult) -> Void) {
    for _ in 0..<min(jobs, cases.count) {
      let thread = Thread { [self] in
        while let index = begin() { end(index, run(cases[index])) }
      }
      // Like the main thread's: the limit of a scenario's nesting assumes it.
      thread.stackSize = 8 << 20
      thread.start()
    }
    for index in cases.indices {
      while true {
        if let result = state.withLock({ $0.results[index].take() }) {
          take(result)
          break
        }
        done.wait()
      }
    }
  }

  private func begin() -> Int? {
    state.withLock { state in
      guard state.next < cases.count else { return nil }
      state.next += 1
      return state.next - 1
    }
  }

  private func end(_ index: Int, _ result: CaseResult) {
    state.withLock { $0.results[index] = result }
    done.signal()
  }
}
