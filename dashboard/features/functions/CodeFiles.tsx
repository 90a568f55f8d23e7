import { FilePlus2, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { FunctionFile } from '#contract/functions'
import { FunctionPath } from './file-names.ts'
import { Button } from '../../ui/Button.tsx'
import { CodeField } from '../../ui/CodeField.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { TextField } from '../../ui/TextField.tsx'

type Props = {
  files: readonly FunctionFile[]
  /** The file that can not be taken away. */
  entrypoint: string
  readOnly: boolean
  onFiles: (files: FunctionFile[]) => void
}

/** The files of a function and the text of one of them. */
export function CodeFiles({ files, entrypoint, readOnly, onFiles }: Props) {
  const [chosen, setChosen] = useState(entrypoint)
  const [adding, setAdding] = useState(false)
  const open = files.find(({ path }) => path === chosen) ?? files[0]
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
                  icon={Trash2}
                  label={`Delete ${path}`}
                  onClick={() => onFiles(files.filter((file) => file.path !== path))}
                />
              )}
            </li>
          ))}
        </ul>
        {!readOnly && (
          <Button variant="ghost" icon={FilePlus2} onClick={() => setAdding(true)}>
            Add file
          </Button>
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
            isProgram
            lines={[16, 32]}
            readOnly={readOnly}
            value={open.content}
            onValue={(content) =>
              onFiles(files.map((file) => (file.path === open.path ? { ...file, content } : file)))
            }
          />
        )
      )}
      {adding && (
        <NewFile
          taken={files.map(({ path }) => path)}
          onClose={() => setAdding(false)}
          onName={(path) => {
            onFiles([...files, { path, content: '', encoding: 'utf8' }])
            setChosen(path)
            setAdding(false)
          }}
        />
      )}
    </div>
  )
}

type NewProps = { taken: readonly string[]; onName: (path: string) => void; onClose: () => void }

function NewFile({ taken, onName, onClose }: NewProps) {
  const [path, setPath] = useState('')
  const [tried, setTried] = useState(false)
  const problem = taken.includes(path) ? 'There is such a file already' : FunctionPath.problem(path)
  return (
    <FormDialog
      title="Add a file"
      verb="Add file"
      pending={false}
      onClose={onClose}
      onSubmit={() => (problem ? setTried(true) : onName(path))}
    >
      <TextField
        label="Path"
        mono
        autoComplete="off"
        help="Such as words.ts, deno.json or shared/cors.ts."
        error={tried ? problem : undefined}
        value={path}
        onChange={(event) => setPath(event.target.value.trim())}
      />
    </FormDialog>
  )
}
