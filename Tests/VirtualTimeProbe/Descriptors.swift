import CVirtualTimeProbe
import Foundation

/// poll, select, epoll, timerfd, pipes, sockets, files.
enum Descriptors {
  private static func makePipe() -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    Report.check(pipe(&ends) == 0, "pipe")
    return (ends[0], ends[1])
  }

  static func pollPipe() {
    let pipe = makePipe()
    Thread.detachNewThread {
      usleep(2_500_000)
      var byte: UInt8 = 7
      write(pipe.write, &byte, 1)
    }
    Thread.detachNewThread {
      var entry = pollfd(fd: pipe.read, events: Int16(POLLIN), revents: 0)
      Report.check(poll(&entry, 1, 2000) == 0, "poll times out")
      Report.check(poll(&entry, 1, -1) == 1 && entry.revents == Int16(POLLIN), "poll sees the byte")
      var byte: UInt8 = 0
      Report.check(read(pipe.read, &byte, 1) == 1 && byte == 7, "the byte")
      Report.finish("poll")
    }
  }

  static func selectPipe() {
    let pipe = makePipe()
    Thread.detachNewThread {
      sleep(3)
      close(pipe.write)
    }
    Thread.detachNewThread {
      func wait(_ seconds: Int) -> Int32 {
        var set = fd_set()
        withUnsafeMutableBytes(of: &set) { bytes in
          bytes[Int(pipe.read) / 8] |= 1 << UInt8(pipe.read % 8)
        }
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        return select(pipe.read + 1, &set, nil, nil, &limit)
      }
      Report.check(wait(2) == 0, "select times out")
      Report.check(wait(20) == 1, "select sees the end")
      Report.finish("select")
    }
  }

  /// Libc itself writes what is printed, by no call that the library sees.
  static func readPrinted() {
    let pipe = makePipe()
    let source = DispatchSource.makeReadSource(fileDescriptor: pipe.read, queue: DispatchQueue(label: "printed"))
    source.setEventHandler {
      var byte: UInt8 = 0
      Report.check(read(pipe.read, &byte, 1) == 1 && byte == UInt8(ascii: "p"), "the printed byte")
      source.cancel()
      Report.finish("printed pipe")
    }
    source.activate()
    Thread.detachNewThread {
      sleep(4)
      let file = fdopen(pipe.write, "w")
      Report.check(file.map { fputs("p", $0) >= 0 && fflush($0) == 0 } ?? false, "printed")
    }
  }

  /// A repeating timer descriptor in an epoll set.
  static func waitForTimer() {
    Thread.detachNewThread {
      let passed = Double(probe_wait_for_timer()) / 1e9
      Report.check(passed >= 5 && passed < 5.1, "three expirations after 5 s: \(passed)")
      Report.finish("epoll")
    }
  }

  static func echo() {
    var ends: [Int32] = [0, 0]
    Report.check(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0, "socketpair")
    let (left, right) = (ends[0], ends[1])
    Thread.detachNewThread {
      var byte: UInt8 = 0
      var sum = 0
      while read(right, &byte, 1) == 1 {
        sum += Int(byte)
        write(right, &byte, 1)
      }
      Report.say("socket sum \(sum)")
      Report.finish("socket")
    }
    Thread.detachNewThread {
      for index in 0..<100 {
        var byte = UInt8(index)
        var back: UInt8 = 0
        send(left, &byte, 1, 0)
        recv(left, &back, 1, 0)
        Report.check(back == byte, "echo")
        if index % 25 == 0 { usleep(250_000) }
      }
      close(left)
    }
  }

  /// More than a pipe holds: writer and reader take turns.
  static func writeMuch() {
    let pipe = makePipe()
    Thread.detachNewThread {
      let bytes = [UInt8](repeating: 1, count: 1_000_000)
      Report.check(write(pipe.write, bytes, bytes.count) == bytes.count, "all is written")
      close(pipe.write)
    }
    Thread.detachNewThread {
      var buffer = [UInt8](repeating: 0, count: 10_000)
      var total = 0
      while case let count = read(pipe.read, &buffer, buffer.count), count > 0 { total += count }
      Report.check(total == 1_000_000, "all is read")
      Report.finish("big write")
    }
  }

  /// Two threads contend for the lock of a file.
  static func lockFile() {
    let path = Settings.folder.appending(path: "lock").path
    let ended = Box(0)
    for _ in 0..<2 {
      Thread.detachNewThread {
        let file = open(path, O_RDWR | O_CREAT, 0o600)
        for _ in 0..<3 {
          flock(file, LOCK_EX)
          usleep(20_000)
          flock(file, LOCK_UN)
          usleep(1000)
        }
        close(file)
        ended.value += 1
        if ended.value == 2 { Report.finish("flock") }
      }
    }
  }

  static func writeFiles() {
    Task.detached {
      let file = Settings.folder.appending(path: "notes.json")
      for index in 0..<20 {
        try? JSONEncoder().encode(["n": index]).write(to: file, options: .atomic)
        try? await Task.sleep(for: .seconds(3))
      }
      let notes = (try? Data(contentsOf: file)).flatMap { try? JSONDecoder().decode([String: Int].self, from: $0) }
      Report.check(notes == ["n": 19], "what was written last")
      Report.finish("files")
    }
  }
}
