import { useState } from 'react'
import { archiveUrlProblem, git, gitFolderProblem, type GitSource } from '#contract/projects/git'
import { useCall } from '../../../api/client.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { FormDialog } from '../../../ui/floats/FormDialog.tsx'
import { ofGit } from './queries.ts'

type Props = {
  projectRef: string
  source: GitSource | null
  /** `secret`: of the webhook, where it was made just now. */
  onSaved: (secret: string | null) => void
  onClose: () => void
}

/** From where commits are fetched, and which branch goes to the project itself. */
export function GitForm({ projectRef, source, onSaved, onClose }: Props) {
  const [address, setAddress] = useState(source?.archive_url ?? '')
  const [token, setToken] = useState('')
  const [drops, setDrops] = useState(false)
  const [folder, setFolder] = useState(source?.folder ?? 'supabase')
  const [branch, setBranch] = useState(source?.production_branch ?? 'main')
  const [tried, setTried] = useState(false)
  const save = useCall(git.set, { changes: ofGit, onSuccess: ({ secret }) => onSaved(secret) })
  const problems = {
    address: archiveUrlProblem(address.trim()),
    folder: gitFolderProblem(folder.trim()),
    branch: branch.trim() === '' ? 'Enter a branch' : undefined,
  }
  const shown = (problem: string | undefined) => (tried ? problem : undefined)

  function submit() {
    setTried(true)
    if (problems.address || problems.folder || problems.branch) return
    save.mutate({
      ref: projectRef,
      archive_url: address.trim(),
      folder: folder.trim(),
      production_branch: branch.trim(),
      ...(drops ? { token: null } : token.trim() === '' ? {} : { token: token.trim() }),
    })
  }
  return (
    <FormDialog
      title={source ? 'Edit repository' : 'Connect repository'}
      verb={source ? 'Save' : 'Connect'}
      pending={save.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className="form-stack">
        <TextField
          label="Archive address"
          mono
          autoComplete="off"
          spellCheck={false}
          placeholder="https://github.com/acme/books/archive/{commit}.tar.gz"
          help="Where your git host serves a commit as tar.gz, with {commit} in place of its hash."
          value={address}
          error={shown(problems.address)}
          onChange={(event) => setAddress(event.target.value)}
        />
        {!drops && (
          <TextField
            label="Access token"
            mono
            type="password"
            autoComplete="off"
            placeholder={source?.has_token ? 'Unchanged' : ''}
            help="For a private repository: a token that may read it. It is sent to this server only, as Authorization: Bearer."
            value={token}
            onChange={(event) => setToken(event.target.value)}
          />
        )}
        {source?.has_token && (
          <Checkbox
            label="Remove the access token"
            checked={drops}
            onChange={(event) => setDrops(event.target.checked)}
          />
        )}
        <TextField
          label="Folder"
          mono
          autoComplete="off"
          spellCheck={false}
          help="With migrations/ and functions/ in it."
          value={folder}
          error={shown(problems.folder)}
          onChange={(event) => setFolder(event.target.value)}
        />
        <TextField
          label="Production branch"
          mono
          autoComplete="off"
          spellCheck={false}
          help="Its commits go to this project. Those of other branches go to the branches that name them."
          value={branch}
          error={shown(problems.branch)}
          onChange={(event) => setBranch(event.target.value)}
        />
        {save.error && <Alert variant="danger" title={save.error.message} />}
      </div>
    </FormDialog>
  )
}

type DeployProps = {
  projectRef: string
  source: GitSource
  onClose: () => void
}

/** Deploys a commit that no webhook has reported, or one that has failed once more. */
export function DeployForm({ projectRef, source, onClose }: DeployProps) {
  const [branch, setBranch] = useState(source.production_branch)
  const [commit, setCommit] = useState('')
  const [tried, setTried] = useState(false)
  const order = useCall(git.deploy, { changes: [git.deployments], onSuccess: onClose })
  const isCommit = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(commit.trim())
  const isBranch = branch.trim() !== ''
  return (
    <FormDialog
      title="Deploy a commit"
      verb="Deploy"
      pending={order.isPending}
      onSubmit={() => {
        setTried(true)
        if (isCommit && isBranch)
          order.mutate({ ref: projectRef, git_branch: branch.trim(), commit: commit.trim() })
      }}
      onClose={onClose}
    >
      <div className="form-stack">
        <TextField
          label="Branch of git"
          mono
          autoComplete="off"
          spellCheck={false}
          value={branch}
          error={tried && !isBranch ? 'Enter a branch' : undefined}
          onChange={(event) => setBranch(event.target.value)}
        />
        <TextField
          label="Commit"
          mono
          autoComplete="off"
          spellCheck={false}
          help="The whole hash. Migrations that are recorded already are not run again."
          value={commit}
          error={tried && !isCommit ? 'Enter the whole commit hash' : undefined}
          onChange={(event) => setCommit(event.target.value)}
        />
        {order.error && <Alert variant="danger" title={order.error.message} />}
      </div>
    </FormDialog>
  )
}
