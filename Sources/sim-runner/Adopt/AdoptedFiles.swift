import Console
import Foundation
import Link

/// `adopt.json`: which of the app's files a package copies, and where to.
struct AdoptedFiles: Codable {
  struct Copy: Codable {
    /// In the app's folder.
    var from: String
    /// In the package.
    var to: String
    var device: DeviceRole
  }

  static let name = "adopt.json"

  /// The app's folder, relative to the package unless they share no folder.
  var app: String
  var files: [Copy]

  init(app: String, files: [Copy]) { (self.app, self.files) = (app, files) }

  init(package: String) throws(Failure) {
    let path = "\(package)/\(Self.name)"
    let bytes = try FilePath.read(path, bytesMax: 8 << 20)
    do { self = try JSONDecoder().decode(AdoptedFiles.self, from: Data(bytes)) } catch {
      throw .input("\(path): error: found something else, expected the file that adopt writes")
    }
    for copy in files {
      let parts = copy.to.split(separator: "/", omittingEmptySubsequences: false)
      guard parts.first == "Sources", parts.count > 2, !parts.contains(".."), copy.to.hasSuffix(".swift") else {
        throw .input("\(path): error: found \"\(TerminalText.escape(copy.to))\", expected a Swift file in Sources")
      }
    }
  }

  /// Copies the files that have changed.
  ///
  /// - Returns: How many did.
  func sync(package: String) throws(Failure) -> Int {
    let root = FilePath.resolve(app, in: package)
    var written = 0
    for copy in files {
      let bytes = try FilePath.read("\(root)/\(copy.from)", bytesMax: 1 << 20)
      let text = AppSource(path: copy.from, bytes: bytes, role: copy.device).text
      if try Self.write(text, to: "\(package)/\(copy.to)") { written += 1 }
    }
    return written
  }

  /// Writes a file unless it has that text.
  @discardableResult
  static func write(_ bytes: [UInt8], to path: String) throws(Failure) -> Bool {
    let data = Data(bytes)
    if let old = FileManager.default.contents(atPath: path), old == data { return false }
    try OutputFolder.make(FilePath.folder(of: path))
    do { try data.write(to: URL(fileURLWithPath: path)) } catch {
      throw .environment("\(path): error: cannot be written: \(error.systemText)")
    }
    return true
  }
}
