import { useState, type DragEvent, type ReactNode } from 'react'
import { storage } from '#contract/storage/storage'
import { messageOf } from '../../../../api/client.ts'
import { useDenials } from '../../../../session/organization/permissions.ts'
import { useProject } from '../../../../session/project/use-project.ts'
import { toast } from '../../../../ui/floats/toast.ts'
import { droppedFiles } from './dropped-files.ts'
import { tellRenamed } from './tell-renamed.ts'
import type { Place } from './file-actions.ts'
import { addUploads } from './uploads.ts'

/** Files and folders that are dropped here go into the folder that is open. */
export function DropZone({ place, children }: { place: Place; children: ReactNode }) {
  const denied = useDenials(useProject(place.projectRef))(storage.uploads)
  const [over, setOver] = useState(false)
  const carriesFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files')
  async function drop(transfer: DataTransfer) {
    try {
      const files = await droppedFiles(place.path, transfer)
      tellRenamed(place.path, files)
      await addUploads(place.projectRef, place.bucket, files)
    } catch (error) {
      toast.error('These files could not be read', { description: messageOf(error) })
    }
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- who does not drag has the button
    <div
      className="drop-zone"
      onDragOver={(event) => {
        if (!carriesFiles(event)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        const inside = relatedTarget instanceof Node && currentTarget.contains(relatedTarget)
        if (!inside) setOver(false)
      }}
      onDrop={(event) => {
        if (!carriesFiles(event)) return
        event.preventDefault()
        setOver(false)
        if (denied) toast.error(denied)
        else void drop(event.dataTransfer)
      }}
    >
      {children}
      {over && (
        <p className="drop-here">
          {denied ?? `Drop to upload to ${place.path === '' ? place.bucket : place.path}`}
        </p>
      )}
    </div>
  )
}
