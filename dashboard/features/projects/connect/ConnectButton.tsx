import { Plug } from 'lucide-react'
import { Button } from '../../../ui/controls/Button.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { useShowConnect } from './connect-param.ts'

/** In the top bar of every page of a project. */
export function ConnectButton() {
  const connect = useShowConnect()
  return (
    <>
      <Button className="hide-narrow" icon={Plug} aria-haspopup="dialog" onClick={connect.open}>
        Connect
      </Button>
      <IconButton
        className="narrow-only"
        icon={Plug}
        label="Connect"
        aria-haspopup="dialog"
        onClick={connect.open}
      />
    </>
  )
}
