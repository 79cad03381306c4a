import Foundation

// On Apple's platforms this is a part of Foundation, which Linux' Foundation lacks.
extension Stream {
    public class func getBoundStreams(
        withBufferSize bufferSize: Int,
        inputStream: UnsafeMutablePointer<InputStream?>?,
        outputStream: UnsafeMutablePointer<OutputStream?>?,
    ) {}
}
