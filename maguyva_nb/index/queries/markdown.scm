; A heading opens a section that lasts until the next heading of its level or above.
(atx_heading (atx_h1_marker) heading_content: (_) @name (#set! level "1")) @definition.section
(atx_heading (atx_h2_marker) heading_content: (_) @name (#set! level "2")) @definition.section
(atx_heading (atx_h3_marker) heading_content: (_) @name (#set! level "3")) @definition.section
(atx_heading (atx_h4_marker) heading_content: (_) @name (#set! level "4")) @definition.section
(atx_heading (atx_h5_marker) heading_content: (_) @name (#set! level "5")) @definition.section
(atx_heading (atx_h6_marker) heading_content: (_) @name (#set! level "6")) @definition.section
(setext_heading heading_content: (_) @name (setext_h1_underline) (#set! level "1")) @definition.section
(setext_heading heading_content: (_) @name (setext_h2_underline) (#set! level "2")) @definition.section

(section) @block
