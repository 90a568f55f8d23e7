import { useCallback, useEffect, useState } from 'react'
import { supabase } from './supabase.js'

export function Todos({ user }) {
  const [todos, setTodos] = useState([])
  const [problem, setProblem] = useState('')

  const load = useCallback(async () => {
    const { data, error } = await supabase.from('todos').select('id, title, done').order('id')
    if (error) setProblem(error.message)
    else setTodos(data)
  }, [])

  useEffect(() => {
    // Also what another tab or device of this person changes.
    const channel = supabase
      .channel('todos')
      .on('postgres_changes', { event: '*', schema: 'public', table: 'todos' }, load)
      // Once it listens, so that nothing between the two is missed.
      .subscribe((status) => status === 'SUBSCRIBED' && load())
    return () => void supabase.removeChannel(channel)
  }, [load])

  /** Shows why a change was refused; what was changed comes back through the channel. */
  async function change(request) {
    const { error } = await request
    setProblem(error ? error.message : '')
    await load()
  }

  function add(event) {
    event.preventDefault()
    const title = new FormData(event.currentTarget).get('title')
    event.currentTarget.reset()
    void change(supabase.from('todos').insert({ title }))
  }

  return (
    <main>
      <header>
        <h1>Todo</h1>
        <span>{user.email}</span>
        <button onClick={() => supabase.auth.signOut()}>Sign out</button>
      </header>
      <form onSubmit={add}>
        <input
          name="title"
          aria-label="Title"
          placeholder="What is to be done?"
          maxLength={200}
          required
        />
        <button>Add</button>
      </form>
      {problem && <p role="alert">{problem}</p>}
      <ul>
        {todos.map(({ id, title, done }) => (
          <li key={id}>
            <input
              type="checkbox"
              aria-label={title}
              checked={done}
              onChange={() => change(supabase.from('todos').update({ done: !done }).eq('id', id))}
            />
            <span>{title}</span>
            <button onClick={() => change(supabase.from('todos').delete().eq('id', id))}>
              Delete
            </button>
          </li>
        ))}
      </ul>
    </main>
  )
}
