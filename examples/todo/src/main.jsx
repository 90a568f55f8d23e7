import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { SignIn } from './SignIn.jsx'
import { supabase } from './supabase.js'
import { Todos } from './Todos.jsx'

function App() {
  const [session, setSession] = useState()

  useEffect(() => {
    const { data } = supabase.auth.onAuthStateChange((_event, next) => setSession(next))
    return () => data.subscription.unsubscribe()
  }, [])

  // Undefined until the stored session was read.
  if (session === undefined) return null
  return session ? <Todos key={session.user.id} user={session.user} /> : <SignIn />
}

createRoot(document.getElementById('root')).render(<App />)
