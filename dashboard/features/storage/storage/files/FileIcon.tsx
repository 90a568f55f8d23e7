import { File, FileText, Film, Folder, Image, Music } from 'lucide-react'
import type { FileEntry } from '#contract/storage/storage'
import { Icon } from '../../../../ui/Icon.tsx'
import { previewKind } from './preview-kind.ts'

const icons = { image: Image, audio: Music, video: Film, text: FileText, pdf: FileText }

export function FileIcon({ entry }: { entry: FileEntry }) {
  if (entry.id === null) return <Icon of={Folder} size="s" />
  const kind = previewKind(entry.type)
  return <Icon of={kind ? icons[kind] : File} size="s" />
}
