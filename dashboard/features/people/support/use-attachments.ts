import { useState } from 'react'
import { api } from '#contract/api'
import { attachmentLimits } from '#contract/people/support'
import { call, messageOf } from '../../../api/client.ts'

/** The bytes of a file as base64, without the prefix that browsers put before it. */
function base64Of(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => {
      const text = typeof reader.result === 'string' ? reader.result : ''
      resolve(text.slice(text.indexOf(',') + 1))
    })
    reader.addEventListener('error', () =>
      reject(reader.error ?? new Error('The file cannot be read')),
    )
    reader.readAsDataURL(file)
  })
}

export type Attached = { id: string; name: string; size: number }

/** The files of a request: each is sent when it is chosen, so that the request itself is quick. */
export function useAttachments() {
  const [files, setFiles] = useState<readonly Attached[]>([])
  const [error, setError] = useState<string>()
  const [pending, setPending] = useState(0)

  async function addOne(file: File): Promise<void> {
    if (file.size > attachmentLimits.bytes) {
      return setError(`${file.name} is larger than 2 MB`)
    }
    setPending((n) => n + 1)
    try {
      const { id, size } = await call(api.support.attach, {
        name: file.name,
        base64: await base64Of(file),
      })
      setFiles((before) => [...before, { id, name: file.name, size }])
    } catch (cause) {
      setError(`${file.name}: ${messageOf(cause)}`)
    } finally {
      setPending((n) => n - 1)
    }
  }

  return {
    files,
    error,
    busy: pending > 0,
    full: files.length + pending >= attachmentLimits.files,
    async add(chosen: readonly File[]): Promise<void> {
      setError(undefined)
      const room = attachmentLimits.files - files.length - pending
      if (chosen.length > room) setError(`At most ${attachmentLimits.files} files can be attached`)
      await Promise.all(chosen.slice(0, room).map(addOne))
    },
    remove: (id: string) => setFiles((before) => before.filter((file) => file.id !== id)),
    clear: () => setFiles([]),
  }
}
export type Attachments = ReturnType<typeof useAttachments>
