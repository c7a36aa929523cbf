/** All text of the user interface. It comes from `ui/messages/<locale>.json`; nothing is written into a component. */
export { m } from "./compiled/messages.js";
