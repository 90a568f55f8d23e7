import { constants, X509Certificate } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { createSecureContext, type SecureContext } from 'node:tls'
import type { Log } from '#kit/log'
import { issue, loadAuthority, type KeyPair } from './authority.ts'

/** With what connections are encrypted now. */
export type Encryption = {
  context(): SecureContext
  /** The certificate (PEM) that is shown, with those between it and its authority behind it. */
  certificate(): string
  /** The certificate (PEM) by which clients know the server; null: the operator has not said. */
  authority(): string | null
  /** Looks whether there is a newer certificate. Never rejects. */
  look(): Promise<void>
  close(): void
}
/** Files of the operator: the certificate with those between it and its authority behind it, and its key; both PEM. */
export type OwnFiles = { certificate: string; key: string }
type Options = {
  /** Where the installation's own authority is kept. */
  file: string
  /** By which addresses and names clients come. */
  hosts: readonly string[]
  /** In place of certificates of the installation's own authority. */
  own?: OwnFiles | undefined
  log: Log
  now?: () => number
  everyMs?: number
}

const dayMs = 86_400_000
const serverDays = 90
/** It is made anew with less left. */
const serverLeftDays = 45

const contextOf = ({ key, certificate: cert }: KeyPair): SecureContext =>
  createSecureContext({
    key,
    cert,
    minVersion: 'TLSv1.2',
    // Nobody has the server do the dear part of a handshake again, and none of them leaves anything behind.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION | constants.SSL_OP_NO_TICKET,
  })

/** The last certificate of a file, if it has signed itself: that is what clients are to trust. */
function rootIn(certificates: string): string | null {
  const last = certificates.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g)
  const pem = last?.at(-1)
  if (pem === undefined) return null
  const found = new X509Certificate(pem)
  return found.checkIssued(found) && found.verify(found.publicKey) ? `${pem}\n` : null
}

type Kept = { current: Current; source: Source; what: string; log: Log; everyMs: number }

/** Looks again and again whether there is a newer certificate; what there was holds while one cannot be used. */
function keepCurrent({ current, source, what, log, everyMs }: Kept): Encryption {
  let problem: string | undefined
  let looking: Promise<void> | undefined

  async function check(): Promise<void> {
    try {
      current = await source(current)
      problem = undefined
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      // Files that are written one after the other do not fit for a moment; the former ones hold until they do.
      if (message !== problem) log.warn({ err: error }, `The certificate of ${what} stays`)
      problem = message
    }
  }
  function look(): Promise<void> {
    looking ??= check().finally(() => {
      looking = undefined
    })
    return looking
  }
  const timer = setInterval(() => void look(), everyMs)
  timer.unref()
  return {
    context: () => current.context,
    certificate: () => current.certificate,
    authority: () => current.authority,
    look,
    close: () => clearInterval(timer),
  }
}

/**
 * A certificate of the operator's files, for whatever is encrypted with it; it is replaced when they change.
 * @throws Error where they cannot be used
 */
export async function createOwnEncryption(
  files: OwnFiles,
  { what, log, everyMs = 10_000 }: { what: string; log: Log; everyMs?: number },
): Promise<Encryption> {
  const source = ownSource(files)
  return keepCurrent({ current: await source(), source, what, log, everyMs })
}

/**
 * Certificates for connections to databases: of the installation's own authority, or the operator's. They are replaced long before
 * they end, or when the operator's files change; connections that there are go on.
 * @throws Error where the operator's files cannot be used, or the authority cannot be kept
 */
export async function createEncryption(options: Options): Promise<Encryption> {
  const { now = Date.now, everyMs = 10_000, log } = options
  const source = options.own ? ownSource(options.own) : issuedSource(options, now)
  return keepCurrent({ current: await source(), source, what: 'databases', log, everyMs })
}

type Current = {
  context: SecureContext
  certificate: string
  authority: string | null
  /** As long as this is the same, so is what was made of it. */
  state: string
}
/** What holds now; `before` when that has not changed. */
type Source = (before?: Current) => Promise<Current>

function ownSource({ certificate, key }: OwnFiles): Source {
  const stateOf = async () => {
    const found = await Promise.all([stat(certificate), stat(key)])
    return found.map(({ ino, mtimeMs, size }) => `${ino} ${mtimeMs} ${size}`).join()
  }
  return async (before) => {
    const state = await stateOf()
    if (before?.state === state) return before
    const [certificates, secret] = await Promise.all([
      readFile(certificate, 'utf8'),
      readFile(key, 'utf8'),
    ])
    const context = contextOf({ certificate: certificates, key: secret })
    return { context, certificate: certificates, authority: rootIn(certificates), state }
  }
}

function issuedSource({ file, hosts }: Options, now: () => number): Source {
  return async (before) => {
    if (before && Number(before.state) > now()) return before
    const authority = await loadAuthority(file, now)
    const pair = await issue(authority, hosts, serverDays, now())
    const renewAt = now() + (serverDays - serverLeftDays) * dayMs
    return {
      context: contextOf(pair),
      certificate: pair.certificate,
      authority: authority.certificate,
      state: String(renewAt),
    }
  }
}
