/** Starts the user interface. `#backend` is the shell's, or the one in memory: see `vite.config.ts`. */
import { mount } from "svelte";
import { connect } from "#backend";
import App from "./App.svelte";
import { startLanguage } from "./messages/locale";
import "./tokens.css";
import "./base.css";

startLanguage();
const target = document.getElementById("app");
if (!target) throw new Error("The page has no place for the window's content.");

mount(App, { target, props: { backend: connect() } });
