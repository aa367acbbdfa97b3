import CVirtualTimeProbe
import Foundation
import Synchronization

/// Threads and locks.
enum Threads {
  static func sleep() {
    Thread.detachNewThread {
      let began = Date()
      Thread.sleep(forTimeInterval: 1.5)
      usleep(250_000)
      Foundation.sleep(2)
      var pause = timespec(tv_sec: 0, tv_nsec: 250_000_000)
      nanosleep(&pause, nil)
      clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, nil)
      let passed = Date().timeIntervalSince(began)
      Report.check(passed >= 4.25 && passed < 4.5, "sleeps add up to \(passed)")
      Report.finish("sleep")
    }
  }

  /// `NSCondition`: a bounded queue with two producers and two consumers, and a wait with a limit.
  static func exchange() {
    let condition = NSCondition()
    let queue = Box<[Int]>([])
    let taken = Box<[Int]>([])
    let ended = Box(0)
    for producer in 0..<2 {
      Thread.detachNewThread {
        for index in 0..<20 {
          condition.withLock {
            while queue.value.count >= 4 { condition.wait() }
            queue.value.append(producer * 100 + index)
            condition.broadcast()
          }
        }
      }
    }
    for _ in 0..<2 {
      Thread.detachNewThread {
        for _ in 0..<20 {
          condition.withLock {
            while queue.value.isEmpty { condition.wait() }
            taken.value.append(queue.value.removeFirst())
            condition.broadcast()
          }
        }
        let isLast = condition.withLock {
          ended.value += 1
          return ended.value == 2
        }
        guard isLast else { return }
        Report.check(Set(taken.value).count == 40, "every element is taken once")
        Report.say("condition \(taken.value.prefix(12))")
        let isSignalled = condition.withLock { condition.wait(until: Date(timeIntervalSinceNow: 4)) }
        Report.check(!isSignalled, "a condition's wait ends at its limit")
        Report.finish("condition")
      }
    }
  }

  /// `NSLock`, `NSRecursiveLock` and `Mutex` under contention, held over a sleep.
  static func lock() {
    let lock = NSLock()
    let recursive = NSRecursiveLock()
    let order = Mutex<[Int]>([])
    for index in 0..<5 {
      Thread.detachNewThread {
        for _ in 0..<3 {
          lock.lock()
          Thread.sleep(forTimeInterval: 0.1)
          lock.unlock()
          recursive.withLock { recursive.withLock { Thread.sleep(forTimeInterval: 0.05) } }
          order.withLock {
            $0.append(index)
            Thread.sleep(forTimeInterval: 0.01)
          }
        }
        guard order.withLock({ $0.count == 15 }) else { return }
        Report.say("mutex order \(order.withLock { $0 })")
        Report.check(
          !lock.lock(before: Date(timeIntervalSinceNow: -1))
            || {
              lock.unlock(); return true
            }(), "lock")
        Report.finish("mutex")
      }
    }
  }

  static func readAndWrite() {
    let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)
    pthread_rwlock_init(lock, nil)
    let box = Box((value: 0, ended: 0))
    nonisolated(unsafe) let shared = lock
    for index in 0..<6 {
      Thread.detachNewThread {
        for _ in 0..<4 {
          if index % 2 == 0 {
            pthread_rwlock_wrlock(shared)
            let old = box.value.value
            usleep(1000)
            box.value.value = old + 1
          } else {
            pthread_rwlock_rdlock(shared)
            let old = box.value.value
            usleep(1000)
            Report.check(old == box.value.value, "no writer beside a reader")
          }
          pthread_rwlock_unlock(shared)
        }
        pthread_rwlock_wrlock(shared)
        box.value.ended += 1
        let isLast = box.value.ended == 6
        pthread_rwlock_unlock(shared)
        guard isLast else { return }
        Report.check(box.value.value == 12, "no write is lost")
        Report.finish("rwlock")
      }
    }
  }

  /// Threads that end and are joined; one leaves by `pthread_exit`.
  static func endThreads() {
    Thread.detachNewThread {
      for index in 0..<20 {
        var handle = pthread_t()
        pthread_create(
          &handle, nil,
          { argument in
            usleep(100)
            if Int(bitPattern: argument) % 2 == 0 { pthread_exit(argument) }
            return argument
          }, UnsafeMutableRawPointer(bitPattern: index + 1))
        var result: UnsafeMutableRawPointer?
        pthread_join(handle, &result)
        Report.check(Int(bitPattern: result) == index + 1, "a thread's result")
      }
      Report.finish("thread end")
    }
  }

  /// A barrier and a spin lock.
  static func meet() {
    Thread.detachNewThread {
      Report.check(probe_meet(5) == 15, "no count is lost under a spin lock")
      Report.finish("barrier of threads")
    }
  }

  private struct Sleeper: CustomStringConvertible {
    var description: String {
      usleep(1000)  // while `print` holds the lock of standard output
      return "slept"
    }
  }

  static func printUnderLock() {
    let ended = Mutex(0)
    for _ in 0..<3 {
      Thread.detachNewThread {
        for _ in 0..<3 {
          print("stdio", Sleeper())
          fputs("", stdout)  // takes libc's own lock, which must not wait for the one of `print`
        }
        let count = ended.withLock {
          $0 += 1
          return $0
        }
        if count == 3 { Report.finish("stdio") }
      }
    }
  }
}
