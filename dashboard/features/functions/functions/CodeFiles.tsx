import { FilePlus2, Pencil, Trash2, Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import type { FunctionFile } from '#contract/functions/functions'
import { Button } from '../../../ui/controls/Button.tsx'
import { CodeField } from '../../../ui/controls/CodeField.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { FileName } from './FileName.tsx'
import { readFiles, withFiles } from './read-files.ts'
import { useFunctionProgram } from './use-function-program.ts'

type Props = {
  files: readonly FunctionFile[]
  /** The file that cannot be taken away. */
  entrypoint: string
  readOnly: boolean
  onFiles: (files: FunctionFile[]) => void
}

/** The files of a function and the text of one of them. */
export function CodeFiles({ files, entrypoint, readOnly, onFiles }: Props) {
  const [chosen, setChosen] = useState(entrypoint)
  const [adding, setAdding] = useState(false)
  const [renaming, setRenaming] = useState<string>()
  const picker = useRef<HTMLInputElement>(null)
  const open = files.find(({ path }) => path === chosen) ?? files[0]
  const paths = files.map(({ path }) => path)
  const fileAt = useFunctionProgram(files, open?.path)

  async function take(input: HTMLInputElement): Promise<void> {
    try {
      const added = await readFiles(input.files ?? [])
      onFiles(withFiles(files, added))
      if (added[0]) setChosen(added[0].path)
    } catch (error) {
      toast.error('The files were not imported', {
        description: error instanceof Error ? error.message : undefined,
      })
    }
    // The same file may be chosen again.
    input.value = ''
  }

  return (
    <div className="function-code">
      <div className="function-files">
        <ul aria-label="Files">
          {files.map(({ path }) => (
            <li key={path}>
              <button
                type="button"
                className="mono"
                aria-current={path === open?.path}
                onClick={() => setChosen(path)}
              >
                {path}
              </button>
              {path !== entrypoint && !readOnly && (
                <IconButton
                  icon={Pencil}
                  label={`Rename ${path}`}
                  onClick={() => setRenaming(path)}
                />
              )}
              {path !== entrypoint && !readOnly && (
                <IconButton
                  icon={Trash2}
                  label={`Delete ${path}`}
                  onClick={() => onFiles(files.filter((file) => file.path !== path))}
                />
              )}
            </li>
          ))}
        </ul>
        {!readOnly && (
          <>
            <Button variant="ghost" icon={FilePlus2} onClick={() => setAdding(true)}>
              Add file
            </Button>
            <Button variant="ghost" icon={Upload} onClick={() => picker.current?.click()}>
              Import files
            </Button>
            <input
              ref={picker}
              type="file"
              multiple
              hidden
              aria-label="Files to import"
              onChange={(event) => void take(event.currentTarget)}
            />
          </>
        )}
      </div>
      {open?.encoding === 'base64' ? (
        <p className="muted">{open.path} is no text. It is deployed as it is.</p>
      ) : (
        open && (
          <CodeField
            key={open.path}
            label={`Code of ${open.path}`}
            language="typescript"
            file={() => fileAt(open.path)}
            isProgram
            lines="fill"
            readOnly={readOnly}
            value={open.content}
            onValue={(content) =>
              onFiles(files.map((file) => (file.path === open.path ? { ...file, content } : file)))
            }
          />
        )
      )}
      {adding && (
        <FileName
          title="Add a file"
          verb="Add file"
          taken={paths}
          onClose={() => setAdding(false)}
          onName={(path) => {
            onFiles([...files, { path, content: '', encoding: 'utf8' }])
            setChosen(path)
            setAdding(false)
          }}
        />
      )}
      {renaming !== undefined && (
        <FileName
          title={`Rename ${renaming}`}
          verb="Rename file"
          before={renaming}
          taken={paths}
          onClose={() => setRenaming(undefined)}
          onName={(path) => {
            onFiles(files.map((file) => (file.path === renaming ? { ...file, path } : file)))
            setChosen(path)
            setRenaming(undefined)
          }}
        />
      )}
    </div>
  )
}
