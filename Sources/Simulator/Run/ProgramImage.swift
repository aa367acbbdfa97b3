import Foundation
import Link

/// Properties of a program's file, read before it is started.
struct ProgramImage: Sendable {
  var path: String
  /// Whether it contains the session of `WatchConnectivity`, so that it joins a run as an app.
  var isApp: Bool
  /// Whether the dynamic linker loads it, so that a library can be preloaded.
  var isDynamic: Bool
  /// SHA-256 of the file, 64 hexadecimal digits.
  var digest: String

  /// The marker from Sources/CSessionStart, in two parts so that this program does not contain it itself.
  private static let marker = Data(["wristwire.session", "virtual-time"].joined(separator: "/").utf8)
  /// The first bytes of a program's file.
  private static let elf = Data([0x7F, 0x45, 0x4C, 0x46])
  /// The same session as a dynamic library.
  private static let library = Data(["libWatchConnectivity", "so"].joined(separator: ".").utf8)

  /// Reads a program's file.
  ///
  /// - Parameter word: The program, looked up in `$PATH` if it has no slash.
  /// - Returns: Nil for one that does not exist, cannot be executed, or is no ELF file.
  init?(_ word: String) {
    guard let path = Self.find(word), access(path, X_OK) == 0,
      let data = try? Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped),
      data.starts(with: Self.elf)
    else { return nil }
    self.path = path
    isDynamic = Self.hasInterpreter(data)
    isApp = data.range(of: Self.marker) != nil || isDynamic && data.range(of: Self.library) != nil
    digest = isApp ? WorkoutDigest.text(ofFile: path) ?? "" : ""
  }

  /// Why a program cannot be started; nil if its file shows no reason.
  static func obstacle(to word: String) -> String? {
    guard let path = find(word) else {
      return word.contains("/") ? "found no file \(word)" : "found no \(word) in $PATH"
    }
    guard access(path, X_OK) == 0 else { return "found \(path), which is not executable" }
    // The system would hand any other file to a shell. One that may not be read may still be executed.
    guard let file = FileHandle(forReadingAtPath: path) else { return nil }
    defer { try? file.close() }
    let start = (try? file.read(upToCount: elf.count)) ?? Data()
    guard start.starts(with: elf) || start.starts(with: Data("#!".utf8)) else {
      return "found \(path), which is neither an ELF file nor a script that begins with #!"
    }
    return nil
  }

  /// The file of a program: the first executable one with its name in the path.
  private static func find(_ word: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    let candidates = word.contains("/") ? [word] : folders.map { "\($0)/\(word)" }
    let files = candidates.filter { path in
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
    }
    return files.first { access($0, X_OK) == 0 } ?? files.first
  }

  /// Whether an ELF file names a program interpreter.
  private static func hasInterpreter(_ data: Data) -> Bool {
    let interpreter: UInt32 = 3
    func number(_ offset: Int, _ count: Int) -> UInt64? {
      guard offset >= 0, offset <= data.count - count else { return nil }
      return (0..<count).reduce(0) { $0 | UInt64(data[data.startIndex + offset + $1]) << UInt64(8 * $1) }
    }
    // 64-bit little-endian: the only kind for which the virtual-time library is built.
    guard data.count > 64, data[data.startIndex + 4] == 2, data[data.startIndex + 5] == 1,
      let table = number(32, 8).flatMap({ Int(exactly: $0) }), let size = number(54, 2), let count = number(56, 2)
    else { return false }
    return (0..<Int(count)).contains { index in
      let (offset, overflow) = table.addingReportingOverflow(index * Int(size))
      return !overflow && number(offset, 4) == UInt64(interpreter)
    }
  }
}
