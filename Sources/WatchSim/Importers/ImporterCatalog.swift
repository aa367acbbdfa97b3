// All importers, and reading a file with the one that recognises it.

import Foundation

/// All importers, and reading a file with the one that recognises it.
package enum ImporterCatalog {
  /// The first that recognises a file reads it.
  package static let all: [any WorkoutImporter.Type] = [
    FITImporter.self,
    GPXImporter.self,
    TCXImporter.self,
    HealthImporter.self,
    CSVImporter.self,
  ]

  /// How many bytes of a file's beginning `WorkoutImporter.canRead` gets.
  package static let headBytes = 4_096

  /// The importer that recognises a file, if any.
  package static func importer(for head: [UInt8], fileName: String) -> (any WorkoutImporter.Type)? {
    all.first { $0.canRead(head, fileName: fileName) }
  }

  /// Reads a workout in the file at `path`.
  ///
  /// - Parameter number: Which one of the file's workouts, from 1; nil for all of it as one, or for the only one.
  /// - Throws: `ImportError` if the file cannot be opened, is not an ordinary file, is of no known format, or is too
  ///   large; and the importer's errors.
  package static func read(path: String, number: Int? = nil) throws(ImportError) -> RecordedWorkout {
    let (importer, file) = try open(path)
    if let streaming = importer as? any StreamingImporter.Type { return try streaming.read(path: file, number: number) }
    let bytes = try bytes(of: file, for: importer)
    guard let number else { return try importer.read(bytes, fileName: file) }
    return try importer.read(bytes, fileName: file, number: number)
  }

  /// Lists the workouts in the file at `path`.
  ///
  /// - Throws: As ``read(path:number:)``.
  package static func outlines(path: String) throws(ImportError) -> [WorkoutOutline] {
    let (importer, file) = try open(path)
    if let streaming = importer as? any StreamingImporter.Type { return try streaming.outlines(path: file) }
    return try importer.outlines(try bytes(of: file, for: importer), fileName: file)
  }

  /// Finds the importer of a file, or of the health export in a folder.
  private static func open(
    _ path: String
  ) throws(ImportError) -> (importer: any WorkoutImporter.Type, path: String) {
    // Checked before opening: opening a pipe would block, and a device never ends.
    let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: resolved) else {
      throw ImportError(file: path, found: "no such file", expected: "a recorded workout (\(formats))")
    }
    if attributes[.type] as? FileAttributeType == .typeDirectory, let export = HealthFolder.export(in: path) {
      return (HealthImporter.self, export)
    }
    guard attributes[.type] as? FileAttributeType == .typeRegular else {
      throw ImportError(file: path, found: "a folder or special file", expected: "a recorded workout (\(formats))")
    }
    let handle = try openFile(resolved, named: path)
    defer { try? handle.close() }
    let head = try contents(of: handle, upToCount: headBytes, path: path)
    guard let importer = importer(for: head, fileName: path) else { throw unknownFormat(head, path: path) }
    return (importer, path)
  }

  private static func bytes(of path: String, for importer: any WorkoutImporter.Type) throws(ImportError) -> [UInt8] {
    let handle = try openFile(path, named: path)
    defer { try? handle.close() }
    // One extra byte, to notice a file that grows while it is read.
    let bytes = try contents(of: handle, upToCount: importer.bytesMax + 1, path: path)
    try checkSize(of: bytes, for: importer, named: path)
    return bytes
  }

  /// Opens a file for reading.
  ///
  /// - Parameter name: Its name in the error.
  static func openFile(_ path: String, named name: String) throws(ImportError) -> FileHandle {
    guard let handle = FileHandle(forReadingAtPath: path) else {
      throw ImportError(file: name, found: "a file that cannot be opened", expected: "a readable file")
    }
    return handle
  }

  private static func checkSize(
    of bytes: [UInt8], for importer: any WorkoutImporter.Type, named name: String
  ) throws(ImportError) {
    guard bytes.count <= importer.bytesMax else {
      throw ImportError(
        file: name, position: .byte(importer.bytesMax), found: "more data",
        expected: "at most \(importer.bytesMax) bytes in a \(importer.name) file")
    }
  }

  /// Reads the workout in `bytes`, the whole content of a file named `fileName`.
  ///
  /// - Throws: `ImportError`, as `read(path:)`.
  package static func read(_ bytes: [UInt8], fileName: String) throws(ImportError) -> RecordedWorkout {
    let head = Array(bytes.prefix(headBytes))
    guard let importer = importer(for: head, fileName: fileName) else { throw unknownFormat(head, path: fileName) }
    try checkSize(of: bytes, for: importer, named: fileName)
    return try importer.read(bytes, fileName: fileName)
  }

  /// The names of all formats, for errors and reference pages: `FIT, GPX or TCX`.
  package static var formats: String {
    let names = all.map { $0.name }
    return names.dropLast().joined(separator: ", ") + (names.last.map { " or \($0)" } ?? "")
  }

  private static func contents(
    of handle: FileHandle, upToCount count: Int, path: String
  ) throws(ImportError) -> [UInt8] {
    do {
      return [UInt8](try handle.read(upToCount: count) ?? Data())
    } catch {
      throw ImportError(file: path, found: "a file that cannot be read", expected: "a readable file")
    }
  }

  private static func unknownFormat(_ head: [UInt8], path: String) -> ImportError {
    ImportError(file: path, found: describe(head), expected: "a recorded workout (\(formats))")
  }

  private static func describe(_ head: [UInt8]) -> String {
    if head.isEmpty { return "an empty file" }
    if head.starts(with: [0x50, 0x4B, 0x03, 0x04]) { return "a zip archive (unpack it first)" }
    if head.starts(with: [0x1F, 0x8B]) { return "gzip data" }
    if head.starts(with: [0xFE, 0xFF]) || head.starts(with: [0xFF, 0xFE]) { return "UTF-16 text" }
    if let root = XMLScanner.rootName(of: head) { return "XML with the root element '\(root)'" }
    return "'\(Printable.text(ASCII.trimmed(head), charactersMax: 16))'"
  }
}
