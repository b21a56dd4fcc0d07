/// The checker's own version.
enum Version {
    static let text = "0.1.0"
}
