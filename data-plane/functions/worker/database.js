// The project's own database is not where workers may connect to. What asks for its address is led to a socket that
// leads there and nowhere else; every other address stays as it is.

/** @param {string | undefined} url @param {string} path */
export function leadToDatabase(url, path) {
  if (!url) return { leadSockets() {} }
  const { hostname, port } = new URL(url)
  const name = hostname.replace(/^\[|\]$/g, '')
  const isDatabase = (host, at) => host === name && Number(at) === Number(port || 5432)

  const { connect } = Deno
  Deno.connect = async (options) => {
    const { transport = 'tcp', hostname: host = '127.0.0.1' } = options
    if (transport !== 'tcp' || !isDatabase(host, options.port)) return connect(options)
    const connection = await connect({ transport: 'unix', path })
    // What only connections over a network have; there is nothing to delay here.
    return Object.assign(connection, { setNoDelay() {}, setKeepAlive() {} })
  }

  return {
    /** The same for `node:net`, on which drivers of Node stand. */
    leadSockets({ Socket }) {
      const { connect: connectSocket } = Socket.prototype
      Socket.prototype.connect = function (...values) {
        // Either what a caller gives, or what `net.connect` has made of that: options and who listens.
        const given = Array.isArray(values[0]) ? values[0] : values
        const [first, second] = given
        const isObject = typeof first === 'object' && first !== null
        const host = isObject ? first.host : typeof second === 'string' ? second : undefined
        const at = isObject ? first.port : first
        if (!isDatabase(host ?? 'localhost', at)) return connectSocket.apply(this, values)
        const listener = given.findLast((value) => typeof value === 'function')
        const { host: _, port: __, ...rest } = isObject ? first : {}
        return connectSocket.call(this, { ...rest, path }, ...(listener ? [listener] : []))
      }
    },
  }
}
