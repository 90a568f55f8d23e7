import { createBucket, getBucket, getBuckets, removeBucket } from '../buckets.ts'
import { headerOf, sendXml, textOf, type S3Call } from './s3-call.ts'
import { S3Error } from './s3-errors.ts'

export async function listBuckets(call: S3Call) {
  const buckets = await getBuckets(call.storage, new URLSearchParams())
  return sendXml(call, 'ListAllMyBucketsResult', {
    Owner: { ID: call.storage.ref, DisplayName: call.storage.ref },
    Buckets: {
      Bucket: buckets.map(({ name, created_at }) => ({ Name: name, CreationDate: created_at })),
    },
  })
}

export async function makeBucket(call: S3Call) {
  // Where it shall be, which is where the project is; it is read for what it was signed with.
  await textOf(call)
  const acl = headerOf(call, 'x-amz-acl') ?? 'private'
  if (acl !== 'private' && acl !== 'public-read')
    throw new S3Error('NotImplemented', 'A bucket is private or public-read')
  await createBucket(call.storage, { name: call.bucket, public: acl === 'public-read' })
  return call.reply.header('location', `/${call.bucket}`).send()
}

export async function headBucket(call: S3Call) {
  await getBucket(call.storage, call.bucket)
  return call.reply.header('x-amz-bucket-region', call.region).send()
}

export async function bucketLocation(call: S3Call) {
  await getBucket(call.storage, call.bucket)
  // The first of all regions has no name here.
  const region = call.region === 'us-east-1' ? '' : call.region
  return sendXml(call, 'LocationConstraint', { '#text': region })
}

/** Versions are not kept, so nothing is said of them. */
export async function bucketVersioning(call: S3Call) {
  await getBucket(call.storage, call.bucket)
  return sendXml(call, 'VersioningConfiguration', {})
}

export async function deleteBucket(call: S3Call) {
  await removeBucket(call.storage, call.bucket)
  return call.reply.status(204).send()
}
