import type { SecureContext } from 'node:tls'
import type { HostnameKeyPair } from '#contract/internal-api'

/** A certificate of the operator's files; another one once they have changed. */
export type OwnCertificate = {
  context(): SecureContext
  /** PEM. */
  certificate(): string
}

/** Where the dashboard and the platform API are, which are served over HTTPS beside the projects. */
export type DashboardTarget = {
  /** The name that they are asked by. */
  hostname: string
  controlPlaneUrl: string
  internalToken: string
}

/** Where it learns what names are proved by. Rejects when nobody can tell at the moment. */
export type CertificateSource = {
  /** Undefined: the name has none. */
  certificateOf(hostname: string): Promise<HostnameKeyPair | undefined>
  /** What a certificate authority is to be told at this name; null: nothing. */
  challengeAnswer(hostname: string, token: string): Promise<string | null>
}

export type HttpsOptions = {
  /** Which address and port it listens on. */
  host: string
  port: number
  /** The port that people write; the same unless something leads from one to the other. */
  publicPort?: number | undefined
  /** A port for HTTP that answers authorities and leads everybody else to HTTPS. */
  challengePort?: number | undefined
  source: CertificateSource
  /** For the names of the installation, and whatever else it is for. */
  own?: OwnCertificate | undefined
  /** Without it there are projects alone. */
  dashboard?: DashboardTarget | undefined
  /** For tests: milliseconds that a handshake may take. */
  handshakeMs?: number | undefined
}
