import CSimulation
public import Foundation

/// What an app says to the simulator, and what the simulator asks of the app.
///
/// Outside a run nothing here has an effect, so the calls can stay in the app.
public enum Simulation {
  /// Whether this process is an app of a run.
  public static var isRunning: Bool { wristwire_simulation_is_on() != 0 }

  /// Records a fact: a line `app.NAME` of the run's trace, at this instant and in the order of the calls.
  ///
  /// A name or a field that the trace cannot have is left out, and a line `app.finding` says so.
  ///
  /// - Parameters:
  ///   - name: A letter, then letters, digits, `-` and `_`; at most 64 bytes. `act` and `finding` are taken.
  ///   - fields: What more there is to say; at most 100, and 16 KiB as JSON. Texts, numbers, truth values, dates (as
  ///     ISO 8601), UUIDs, URLs, and arrays and dictionaries of these; anything else by its description. Numbers are
  ///     rounded to six decimal places. Not evaluated outside a run.
  public static func record(_ name: String, _ fields: @autoclosure () -> [String: Any?] = [:]) {
    guard isRunning else { return }
    var name = name
    var json = FactText.object(fields())
    name.withUTF8 { name in
      json.withUTF8 { json in
        name.withMemoryRebound(to: CChar.self) { name in
          json.withMemoryRebound(to: CChar.self) { json in
            _ = wristwire_simulation_record(name.baseAddress, name.count, json.baseAddress, json.count)
          }
        }
      }
    }
  }

  /// Registers what happens on an act of the scenario, such as a tap on a button; the last handler of a name counts.
  ///
  /// Register handlers before the app's `main` first waits: an act that finds no handler once the app has come to rest
  /// has no effect, and a line `app.finding` says so.
  ///
  /// - Parameter handler: Called on the main queue, as a tap is.
  public static func onAct(_ name: String, _ handler: @escaping @MainActor @Sendable (Act) -> Void) {
    ActRegistry.shared.register(name, handler)
  }

  /// Registers what names messages that are `Data` and no JSON, for the trace: their `kind`.
  ///
  /// Called for each such payload that this app sends or receives, if the scenario has `payload`.
  ///
  /// - Parameter namer: Returns the name, nil for none. It must not wait, nor call the session. One that throws leaves the
  ///   payload without a name, and a line `app.finding` says so.
  public static func nameData(_ namer: @escaping @Sendable (Data) throws -> String?) {
    PayloadNamer.shared.set(namer)
  }
}
