// The folder of an unpacked health export.

import Foundation

/// Finds the files of a health export.
enum HealthFolder {
  /// The export in a folder, or in its subfolder `apple_health_export`; nil if there is none.
  ///
  /// The file's name depends on the language, so its first bytes decide.
  static func export(in folder: String) -> String? {
    for candidate in [folder, folder + "/apple_health_export"] {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: candidate)) ?? []
      for name in names.filter({ $0.lowercased().hasSuffix(".xml") }).sorted().prefix(64) {
        let path = candidate + "/" + name
        guard let handle = FileHandle(forReadingAtPath: path) else { continue }
        defer { try? handle.close() }
        guard let head = try? handle.read(upToCount: ImporterCatalog.headBytes) else { continue }
        if HealthImporter.canRead([UInt8](head), fileName: path) { return path }
      }
    }
    return nil
  }

  /// The path of a file that an export refers to; nil if it is outside the export's folder.
  static func path(of reference: String, beside export: String) -> String? {
    let parts = reference.split(separator: "/").filter { $0 != "." }
    guard !parts.isEmpty, !parts.contains(".."), !reference.contains("\0") else { return nil }
    let folder = URL(fileURLWithPath: export).deletingLastPathComponent().resolvingSymlinksInPath()
    let file = folder.appendingPathComponent(parts.joined(separator: "/")).resolvingSymlinksInPath()
    // A link must not lead out of the folder either.
    guard file.path.hasPrefix(folder.path + "/") else { return nil }
    return file.path
  }
}
