public import Link

/// Names the phone's clock, so that its readings cannot be compared with anyone else's.
public enum PhoneClock {}

/// A reading of the phone's clock: the `sentAt` of its commands.
public typealias PhoneTime = NodeTime<PhoneClock>
