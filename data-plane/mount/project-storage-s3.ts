import type { FastifyRequest } from 'fastify'
import { TokenError } from '../gateway/tokens.ts'
import type { Plane } from '../plane.ts'
import type { Identity } from '../storage/access.ts'
import type { S3Routes } from '../storage/s3/s3-call.ts'
import { S3Error, type S3Code } from '../storage/s3/s3-errors.ts'
import { errorXml } from '../storage/s3/s3-xml.ts'

const service: Identity = { role: 'service_role', claims: '{"role":"service_role"}' }

/** Who signs requests of the S3 protocol: an access key of the project, or a user's session with its public key. */
export function s3RoutesOf(
  gateway: Plane['gateway'],
  storageFor: S3Routes['storageFor'],
): S3Routes {
  const connectionOf = (request: FastifyRequest) => gateway.tenantOf(request).project.connection

  async function sessionOf(request: FastifyRequest, token: string): Promise<Identity> {
    try {
      return await gateway.namedBy(connectionOf(request), token)
    } catch (error) {
      if (!(error instanceof TokenError)) throw error
      throw new S3Error('InvalidToken', error.message)
    }
  }

  return {
    settingsOf(request) {
      const { storage } = connectionOf(request).settings
      // Clients that were not told of a region take the first of all; some call any place `auto`.
      const regions = [storage?.region ?? 'us-east-1', 'us-east-1', 'auto']
      return { isOn: storage?.s3Protocol ?? true, regions }
    },
    signerOf(request, accessKey, sessionToken) {
      const { ref, anonKey, legacyKeysDisabledAt, storageKeys } = connectionOf(request)
      if (accessKey === ref && legacyKeysDisabledAt === undefined) {
        if (sessionToken === undefined)
          throw new S3Error('AccessDenied', 'The ref as access key goes with a session token')
        return { secret: anonKey, identity: () => sessionOf(request, sessionToken) }
      }
      const found = storageKeys.find((key) => key.accessKey === accessKey)
      if (!found) throw new S3Error('InvalidAccessKeyId', 'This project has no such access key')
      return { secret: found.secretKey, identity: () => Promise.resolve(service) }
    },
    storageFor,
  }
}

const codes: Record<number, S3Code> = {
  401: 'AccessDenied',
  402: 'AccessDenied',
  404: 'NoSuchBucket',
}

/** The gateway's refusals in this protocol. */
export const s3Refusal = ({
  status,
  body,
}: {
  status: number
  body: { message?: string | null }
}) =>
  Buffer.from(
    errorXml(new S3Error(codes[status] ?? 'ServiceUnavailable', body.message ?? ''), '', ''),
  )
