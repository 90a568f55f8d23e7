import { useState } from 'react'
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx'
import { Tabs } from '../../../ui/navigation/Tabs.tsx'
import type { CodeFile } from './guide.ts'

type Props = { install?: string | undefined; note?: string | undefined; files: readonly CodeFile[] }

/** What to install, and the files, each with a copy button. Give it a key: another example begins with its first file. */
export function Files({ install, note, files }: Props) {
  const [open, setOpen] = useState(files[0]?.name ?? '')
  const file = files.find(({ name }) => name === open) ?? files[0]
  return (
    <>
      {install && (
        <div className="labelled">
          <span>Install</span>
          <CodeBlock code={install} language="text" what="install command" />
        </div>
      )}
      {file && (
        <div className="connect-files">
          {files.length > 1 ? (
            <Tabs
              label="Files"
              look="pills"
              tabs={files.map(({ name }) => ({
                id: name,
                label: <span className="mono">{name}</span>,
              }))}
              value={file.name}
              onChange={setOpen}
            />
          ) : (
            <span className="t12 med">{file.name}</span>
          )}
          <CodeBlock code={file.code} language={file.language} what={file.name} />
        </div>
      )}
      {note && <p className="t12 muted">{note}</p>}
    </>
  )
}
